import Type from 'typebox';
import { SOCIAL_KEYS } from '../../shops/domain/shop.ts';
import { strict, text, word, color, httpsUrl, pictureReference, optional, identity } from './values.ts';

export const Links = Type.Object(
  {
    modules: optional(
      Type.Array(
        Type.Object(
          {
            kind: word(['order', 'menu', 'rewards', 'book']),
            visible: optional(Type.Boolean({ default: true })),
          },
          strict,
        ),
        { maxItems: 4 },
      ),
    ),
    custom: optional(
      Type.Array(
        Type.Object(
          {
            ...identity,
            title: Type.Object(
              { en: optional(text(120)), ar: optional(text(120)) },
              { ...strict, minProperties: 1 },
            ),
            href: httpsUrl,
            visible: optional(Type.Boolean({ default: true })),
          },
          strict,
        ),
        { maxItems: 50 },
      ),
    ),
    socials: optional(
      Type.Array(
        Type.Object(
          {
            key: word(SOCIAL_KEYS),
            label: optional(text(60)),
            url: httpsUrl,
            visible: optional(Type.Boolean({ default: true })),
          },
          strict,
        ),
        { maxItems: 7 },
      ),
    ),
    show_branches: optional(Type.Boolean({ default: true })),
    cover_image_url: optional(pictureReference),
    tagline: optional(Type.Object({ ar: optional(text(200)), en: optional(text(200)) }, strict)),
  },
  strict,
);

export const Brand = Type.Object(
  {
    logo_url: optional(pictureReference),
    logo_is_mark: optional(Type.Boolean({ default: false })),
    card_image_url: optional(pictureReference),
    colors: optional(
      Type.Object(
        { background: color, foreground: color, accent: color },
        { ...strict, description: 'Left out: the service’s defaults.' },
      ),
    ),
  },
  strict,
);
