import { library } from '../../tsup.base.ts';
export default library({ entry: ['src/index.ts', 'src/checkpoint-worker.ts', 'src/driver.ts'] });
