import { Book } from '../browser/booking/book.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(Book);
