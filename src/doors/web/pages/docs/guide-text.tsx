/** Text of the Markdown documents as a part of a page, in English. */
import { anchorOf, type Block } from '../../../../service/contract/document-blocks.ts';
import { Inline, Row } from './reference.tsx';

type OfKind<K extends Block['kind']> = Extract<Block, { kind: K }>;

/** Rows below each other, which a phone has room for: the first cell names a row, the last describes it. */
const Table = ({ head, rows }: OfKind<'table'>) => (
  <>
    <p class="muted">{head.filter((cell) => cell !== '').join(' · ')}</p>
    <dl class="rows">
      {rows.map(([name = '', ...cells], at) => (
        <Row
          key={at}
          name={name}
          facts={cells
            .slice(0, -1)
            .map((cell, index) => (cell === 'yes' ? (head[index + 1] ?? '').toLowerCase() : cell))}
          text={cells.at(-1) ?? ''}
        />
      ))}
    </dl>
  </>
);

const Part = (block: Block) => {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 3 ? 'h3' : 'h2';
      return <Heading id={anchorOf(block.text)}>{block.text}</Heading>;
    }
    case 'text':
      return (
        <p>
          <Inline text={block.text} />
        </p>
      );
    case 'list':
      return (
        <ol>
          {block.items.map((item, at) => (
            <li key={at}>
              <Inline text={item} />
            </li>
          ))}
        </ol>
      );
    case 'table':
      return <Table {...block} />;
    case 'code':
      return (
        <pre dir="ltr" tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
  }
};

export const GuideText = ({ blocks }: { readonly blocks: readonly Block[] }) => (
  <section>
    {blocks.map((block, at) => (
      <Part key={at} {...block} />
    ))}
  </section>
);
