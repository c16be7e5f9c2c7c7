import { library } from '../../tsup.base.ts';
// One module without imports: a page can load the file as it is.
export default library({ entry: ['src/index.ts'], platform: 'browser', target: 'es2022' });
