import { LiveCard } from '../browser/loyalty/live-card.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(LiveCard);
