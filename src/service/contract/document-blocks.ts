/** Text may contain `code` and [links](#to-a-heading); all else is plain. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly language: 'js' | 'json' | 'sh' | 'text'; readonly text: string };

export const heading = (level: 1 | 2 | 3, text: string): Block => ({ kind: 'heading', level, text });
export const text = (words: string): Block => ({ kind: 'text', text: words });
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): Block => ({
  kind: 'table',
  head,
  rows,
});
/** Numbered. */
export const listOf = (items: readonly string[]): Block => ({ kind: 'list', items });
export const jsonOf = (value: unknown): Block => ({
  kind: 'code',
  language: 'json',
  text: JSON.stringify(value, null, 2),
});
export const commandOf = (line: string): Block => ({ kind: 'code', language: 'sh', text: line });

export const linesOf = (lines: readonly string[]): Block => ({
  kind: 'code',
  language: 'text',
  text: lines.join('\n'),
});

const cell = (words: string): string => words.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

export const markdown = (blocks: readonly Block[]): string =>
  `${blocks
    .map((block) => {
      switch (block.kind) {
        case 'heading':
          return `${'#'.repeat(block.level)} ${block.text}`;
        case 'text':
          return block.text;
        case 'table':
          return [row(block.head), row(block.head.map(() => '---')), ...block.rows.map(row)].join('\n');
        case 'list':
          return block.items.map((item, at) => `${at + 1}. ${item}`).join('\n');
        case 'code':
          return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
      }
    })
    .join('\n\n')}\n`;

export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
