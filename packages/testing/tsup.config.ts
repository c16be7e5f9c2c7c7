import { library } from '../../tsup.base.ts';
export default library({
  entry: ['src/storage.ts', 'src/provider.ts', 'src/gateway.ts', 'src/ledger.ts', 'src/fakes.ts'],
});
