import { LiveTracking } from '../browser/live-tracking.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(LiveTracking);
