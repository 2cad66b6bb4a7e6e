import { startMenuPage } from '../browser/menu-start.ts';

startMenuPage();
