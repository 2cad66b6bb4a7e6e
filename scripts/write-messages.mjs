import { join } from 'node:path';
import { root } from './checkout.mjs';
import { writeMessages } from './messages.mjs';

await writeMessages(join(root, 'src', 'doors', 'web', 'messages'));
