import { Join } from '../browser/loyalty/join.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(Join);
