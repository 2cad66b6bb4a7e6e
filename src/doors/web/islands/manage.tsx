import { Manage } from '../browser/manage.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(Manage);
