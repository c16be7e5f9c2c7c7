// Images, audio, documents and videos in, images and speech out, in plain requests: every story asserts.
import assert from 'node:assert/strict';
import { askAbout, askAboutAll, deleteAll, uploadAll } from './media-in.ts';
import { editedImage, image, speech } from './media-out.ts';
import { startGateway, type StartedGateway } from './start-gateway.ts';

const tellStories = async (gateway: StartedGateway): Promise<void> => {
  const [reader, painter, speaker] = [
    await gateway.clientOf('flash-3.8'),
    await gateway.clientOf('flash-3.1-image'),
    await gateway.clientOf('flash-3.1-tts-preview'),
  ];
  const files = await uploadAll(reader);
  console.log(`ok  ${uploadAll.name}: ${files.map(({ mimeType }) => mimeType).join(', ')}`);
  for (const uploaded of files) {
    await askAbout(reader, uploaded);
    console.log(`ok  ${askAbout.name} ${uploaded.displayName}`);
  }
  await askAboutAll(reader, files);
  console.log(`ok  ${askAboutAll.name}`);
  await image(painter);
  console.log(`ok  ${image.name}`);
  const [imageFile] = files;
  assert.ok(imageFile);
  await editedImage(painter, imageFile);
  console.log(`ok  ${editedImage.name}`);
  await speech(speaker);
  console.log(`ok  ${speech.name}`);
  await deleteAll(speaker, files);
  console.log(`ok  ${deleteAll.name}`);
};

const gateway = await startGateway();
try {
  await tellStories(gateway);
  assert.deepEqual((await gateway.admin.audit()).violations, []);
} finally {
  await gateway.close();
}
