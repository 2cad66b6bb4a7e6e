/** What stands around the text of a page of the reference: contents, the way here, the pages before and after. */
import type { ComponentChildren } from 'preact';
import { docs } from '../../messages/compiled/docs.ts';
import { reference } from '../../messages/compiled/reference.ts';
import { Frame } from '../../components/frame.tsx';
import { useMessages } from '../../components/reader.ts';
import {
  ALL_TOOLS,
  headingsOn,
  placeOf,
  REFERENCE_PAGES,
  shapePlace,
  shapesOn,
  toolPlace,
  type ReferencePage,
} from './pages.ts';

interface OnPage {
  readonly page: ReferencePage;
}

/** Operations, tools and shapes of the page, in English. */
const PlacesOn = ({ page: { name, operations } }: OnPage) => (
  <ul dir="ltr" lang="en">
    {headingsOn(name).map(({ place, text }) => (
      <li key={place}>
        <a href={`#${place}`}>{text}</a>
      </li>
    ))}
    {operations.map((e) => (
      <li key={e.id}>
        <a href={`#${placeOf(e)}`}>
          <span class="method">{e.method}</span> <code>{e.path}</code>
        </a>
      </li>
    ))}
    {name === 'tools' &&
      ALL_TOOLS.map((tool) => (
        <li key={tool.name}>
          <a href={`#${toolPlace(tool)}`}>
            <code>{tool.name}</code>
          </a>
        </li>
      ))}
    {shapesOn(name).map(([shape]) => (
      <li key={shape}>
        <a href={`#${shapePlace(shape)}`}>{shape}</a>
      </li>
    ))}
  </ul>
);

const ContentsList = ({ page }: OnPage) => {
  const t = useMessages(reference);
  return (
    <ul>
      {REFERENCE_PAGES.map((each) => (
        <li key={each.name}>
          <a href={each.path} aria-current={each.name === page.name ? 'page' : undefined}>
            {t[each.name]}
          </a>
          {each.name === page.name && <PlacesOn page={page} />}
        </li>
      ))}
    </ul>
  );
};

/** Beside the text on wide screens, folded above it on others. */
const Contents = ({ page }: OnPage) => {
  const t = useMessages(docs);
  return (
    <>
      <nav class="contents beside" aria-label={t.contents}>
        <ContentsList page={page} />
      </nav>
      <details class="contents above">
        <summary>{t.contents}</summary>
        <ContentsList page={page} />
      </details>
    </>
  );
};

const Breadcrumbs = ({ page }: OnPage) => {
  const t = useMessages(reference);
  if (page.name === 'start') return null;
  const [start] = REFERENCE_PAGES;
  const staff = REFERENCE_PAGES.find(({ name }) => name === 'staff');
  const above = [start, ...(page.audience === 'staff' && page.name !== 'staff' ? [staff] : [])];
  return (
    <nav class="crumbs" aria-label={t.way}>
      <ol>
        {above.map(
          (each) =>
            each !== undefined && (
              <li key={each.name}>
                <a href={each.path}>{t[each.name]}</a>
              </li>
            ),
        )}
        <li aria-current="page">{t[page.name]}</li>
      </ol>
    </nav>
  );
};

const Neighbours = ({ page }: OnPage) => {
  const t = useMessages(reference);
  const at = REFERENCE_PAGES.indexOf(page);
  const [before, after] = [REFERENCE_PAGES[at - 1], REFERENCE_PAGES[at + 1]];
  return (
    <nav class="neighbours" aria-label={t.neighbours}>
      {before !== undefined && (
        <a rel="prev" href={before.path}>
          {t.previous}: {t[before.name]}
        </a>
      )}
      {after !== undefined && (
        <a rel="next" href={after.path}>
          {t.next}: {t[after.name]}
        </a>
      )}
    </nav>
  );
};

export const Layout = ({ page, children }: OnPage & { readonly children: ComponentChildren }) => (
  <Frame shop={null}>
    <div class="docs">
      <Contents page={page} />
      <div class="text">
        <Breadcrumbs page={page} />
        {children}
        <Neighbours page={page} />
      </div>
    </div>
  </Frame>
);
