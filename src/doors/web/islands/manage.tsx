import { Manage } from '../browser/booking/manage.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(Manage);
