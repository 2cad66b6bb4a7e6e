import { OrderIsland } from '../browser/order/order-island.tsx';
import type { OrderIslandProps } from '../components/order.ts';
import { startIsland } from '../browser/start.tsx';

const loadCardPart = () => import('../browser/order/card/card-part.tsx');

startIsland((props: OrderIslandProps) => <OrderIsland {...props} loadCardPart={loadCardPart} />);
