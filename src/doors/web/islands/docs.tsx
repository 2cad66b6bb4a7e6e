import { startIsland } from '../browser/start.tsx';
import { Trial } from '../browser/trial.tsx';

startIsland(Trial);
