import { library } from '../../tsup.base.ts';
export default library({ entry: ['src/index.ts', 'src/access/callers.ts', 'src/decisions.ts'] });
