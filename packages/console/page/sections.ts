import { toAccounts, toAll, toOperators, type Section } from './section.ts';
import { AccountsView } from './views/accounts.ts';
import { DeliveriesView } from './views/deliveries.ts';
import { OverviewView } from './views/overview.ts';
import { ProjectsView } from './views/projects.ts';
import { RequestsView } from './views/requests.ts';
import { SchedulesView } from './views/schedules.ts';
import { TryView } from './views/try-call.ts';
import { UncertainView } from './views/uncertain.ts';
import { UsageView } from './views/usage.ts';
import { settings } from './settings.ts';

/** The parts of the console, in the order of the menu. */
export const sections: readonly Section[] = [
  { path: '', name: 'Overview', view: OverviewView, isOffered: toAll },
  { path: 'accounts', name: 'Accounts', view: AccountsView, isOffered: toAccounts },
  { path: 'projects', name: 'Projects', view: ProjectsView, isOffered: toAll },
  { path: 'requests', name: 'Requests', view: RequestsView, isOffered: toAll },
  { path: 'uncertain', name: 'Uncertain', view: UncertainView, isOffered: toOperators },
  { path: 'usage', name: 'Usage', view: UsageView, isOffered: toAll },
  { path: 'deliveries', name: 'Deliveries', view: DeliveriesView, isOffered: toAll },
  { path: 'schedules', name: 'Schedules', view: SchedulesView, isOffered: toAll },
  { path: 'try', name: 'Try a call', view: TryView, isOffered: () => settings.canTry },
];
