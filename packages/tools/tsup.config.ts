import { library } from '../../tsup.base.ts';
export default library({
  entry: ['src/index.ts', 'src/python-child/python-child.ts', 'src/python-child/realm.ts', 'src/page-worker.ts'],
});
