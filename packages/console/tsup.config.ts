import { library } from '../../tsup.base.ts';
// The page is bundled beside the library, by `build/write-page-text.ts`.
export default library({ entry: ['src/index.ts'], external: ['#page'] });
