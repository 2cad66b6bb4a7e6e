import { Book } from '../browser/book.tsx';
import { startIsland } from '../browser/start.tsx';

startIsland(Book);
