/** A page under a former slug of a shop leads to the same page under the present one (Decisions 1). */
import { combineAnswers, Moved } from '../../platform/app/answer.ts';
import { getBrand } from '../../shops/app/shop.ts';
import type { Page } from './page.ts';
import { slugIn } from './shop-frame.ts';

const SHOP_PATH = '/{slug}';

export const isAtSlug = ({ endpoint }: Page): boolean => endpoint.path.startsWith(SHOP_PATH);

const pathWith = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

/** The answer depends on the brand too: a page that is cached goes when its shop is renamed. */
export const leadingToPresentSlug = ({ endpoint, handler }: Page): Page => ({
  endpoint,
  handler: (parts) => {
    const answerOf = handler(parts);
    return async (input) => {
      const asked = slugIn(input);
      const brand = await getBrand(parts.app)({ query: { slug: asked } });
      const { slug } = brand.body;
      if (slug !== null && slug !== undefined && slug !== asked)
        throw new Moved(pathWith(endpoint.path, { ...input.path, slug }));
      const answer = await answerOf(input);
      return 'scopes' in answer ? combineAnswers(answer.body, answer, brand) : answer;
    };
  },
});
