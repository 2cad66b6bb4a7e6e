import { OrderIsland } from '../browser/order/order-island.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(OrderIsland);
