import { TableIsland } from '../browser/table/table-island.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(TableIsland);
