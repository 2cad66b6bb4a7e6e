/** Everything that may be chosen of an item, and what it costs: for reading. */
import type { ComponentChildren } from 'preact';
import { menu } from '../messages/compiled/menu.ts';
import { dealsOf, dealText, singlePrice, type Menu, type MenuItem } from './deal-text.ts';
import { figure, money } from './format.ts';
import { Icon } from './icon.tsx';
import { ItemPrice } from './menu-list.tsx';
import { sizeName, textIn, useName } from './names.ts';
import { Picture } from './picture.tsx';
import { Price } from './price.tsx';
import { useMessages, useReader, type Reader } from './reader.ts';

type Group = MenuItem['modifier_groups'][number];
type Addon = Menu['addons'][number];
type Slot = NonNullable<MenuItem['combo']>['slots'][number];

/** How many may be chosen, in words. `max` null: no bound. */
export const boundsText = (reader: Reader, min: number, max: number | null): string => {
  const t = menu[reader.language];
  const n = figure(reader, min);
  if (max === null) return min === 0 ? '' : t.chooseAtLeast({ n });
  if (min === max) return min === 1 ? t.chooseOne : t.chooseExactly({ n });
  if (min === 0 && max === 1) return t.optional;
  if (min === 0) return t.chooseUpTo({ n: figure(reader, max) });
  return t.chooseBetween({ n, m: figure(reader, max) });
};

/** The least and the most that a group takes. */
export const boundsOf = (group: Group): { readonly min: number; readonly max: number | null } => ({
  min: Math.max(group.min_selections, group.is_required ? 1 : 0),
  max: group.selection_type === 'single' ? 1 : (group.max_selections ?? null),
});

interface ChoiceProps {
  readonly name: string;
  /** Piastres that it adds. */
  readonly charge: number;
  readonly isSoldOut?: boolean;
}

const Choice = ({ name, charge, isSoldOut = false }: ChoiceProps) => {
  const reader = useReader();
  const t = useMessages(menu);
  return (
    <li>
      <bdi>{name}</bdi>
      {isSoldOut && <em>{t.soldOut}</em>}
      {!isSoldOut && charge > 0 && <bdi class="price">{t.more({ price: money(reader, charge) })}</bdi>}
      {!isSoldOut && charge === 0 && <span class="muted">{t.included}</span>}
    </li>
  );
};

interface ChoicesProps {
  readonly title: string;
  readonly bounds?: string;
  readonly children: ComponentChildren;
}

const Choices = ({ title, bounds = '', children }: ChoicesProps) => (
  <section class="choices">
    <h2>
      <bdi>{title}</bdi>
      {bounds !== '' && <small class="muted">{bounds}</small>}
    </h2>
    <ul>{children}</ul>
  </section>
);

const GroupChoices = ({ group }: { readonly group: Group }) => {
  const reader = useReader();
  const nameOf = useName();
  const { min, max } = boundsOf(group);
  return (
    <Choices title={nameOf(group)} bounds={boundsText(reader, min, max)}>
      {group.options.map((option) => (
        <Choice
          key={option.option_id}
          name={nameOf(option)}
          charge={option.charge ?? option.price}
          isSoldOut={option.is_available === false}
        />
      ))}
    </Choices>
  );
};

const SlotChoices = ({ slot }: { readonly slot: Slot }) => {
  const reader = useReader();
  const nameOf = useName();
  return (
    <Choices
      title={nameOf(slot)}
      bounds={slot.choices.length > 1 ? boundsText(reader, slot.min, slot.max) : ''}
    >
      {slot.choices.map((choice) => (
        <Choice
          key={choice.menu_item_id}
          name={nameOf(choice)}
          charge={choice.surcharge}
          isSoldOut={choice.available === false}
        />
      ))}
    </Choices>
  );
};

/** The add-ons that an item without groups takes. */
export const freeAddons = ({ addons }: Menu, item: MenuItem): readonly Addon[] => {
  if (item.kind === 'combo' || item.modifier_groups.length > 0 || item.takes_addons === false) return [];
  const allowed = new Set(item.allowed_addon_ids);
  return addons.filter(({ addon_item_id: id }) => allowed.size === 0 || allowed.has(id));
};

/** Piastres that an add-on adds to an item. */
export const addonCharge = (item: MenuItem, addon: Addon): number =>
  item.addon_charges?.[addon.addon_item_id] ?? addon.price;

const Addons = ({ menu: on, item }: { readonly menu: Menu; readonly item: MenuItem }) => {
  const t = useMessages(menu);
  const nameOf = useName();
  const addons = freeAddons(on, item);
  return (
    <>
      {(['milk_type', 'coffee_type', 'extra'] as const)
        .map((type) => ({ type, listed: addons.filter((addon) => addon.type === type) }))
        .filter(({ listed }) => listed.length > 0)
        .map(({ type, listed }) => (
          <Choices key={type} title={t[type]} {...(type === 'extra' ? {} : { bounds: t.chooseOne })}>
            {listed.map((addon) => (
              <Choice
                key={addon.addon_item_id}
                name={nameOf(addon)}
                charge={addonCharge(item, addon)}
                isSoldOut={!addon.is_available}
              />
            ))}
          </Choices>
        ))}
    </>
  );
};

const Sizes = ({ menu: on, item }: { readonly menu: Menu; readonly item: MenuItem }) => {
  const { language } = useReader();
  const t = useMessages(menu);
  if (item.sizes.length === 0) return null;
  return (
    <Choices title={t.sizes}>
      {item.sizes.map((size) => {
        const deal = singlePrice(on, item, size.price, size.label);
        return (
          <li key={size.label}>
            <bdi>{sizeName(language, size)}</bdi>
            {deal === null ? <Price amount={size.price} /> : <Price amount={deal} before={size.price} />}
          </li>
        );
      })}
    </Choices>
  );
};

export interface ItemDetailsProps {
  readonly menu: Menu;
  readonly item: MenuItem;
  /** Of the combo that the item may become a part of. */
  readonly hrefOf: (item: MenuItem) => string;
  /** The heading takes the focus when the details open. */
  readonly headingId: string;
}

export const ItemDetails = ({ menu: on, item, hrefOf, headingId }: ItemDetailsProps) => {
  const reader = useReader();
  const t = useMessages(menu);
  const nameOf = useName();
  const description = textIn(reader.language, item.description, item.description_translations);
  const meal = on.items.find(({ id }) => id === item.meal?.combo_id);
  return (
    <article class="details">
      <Picture address={item.image_url} alt="" width={640} height={640} sizes="min(100vw, 40rem)" isFirst />
      <h1 id={headingId} tabIndex={-1}>
        <bdi>{nameOf(item)}</bdi>
      </h1>
      {description != null && description !== '' && (
        <p class="muted">
          <bdi>{description}</bdi>
        </p>
      )}
      <p class="total">
        <ItemPrice item={item} on={on} />
      </p>
      {dealsOf(on, item).map((deal) => (
        <p key={deal.id} class="deal">
          <Icon name="tag" />
          <span>
            <bdi>{nameOf(deal)}</bdi>: {dealText(reader, deal)}
          </span>
        </p>
      ))}
      <Sizes menu={on} item={item} />
      {item.combo?.slots.map((slot) => (
        <SlotChoices key={slot.id} slot={slot} />
      ))}
      {item.modifier_groups.map((group) => (
        <GroupChoices key={group.group_id} group={group} />
      ))}
      <Addons menu={on} item={item} />
      {item.optionals.length > 0 && (
        <Choices title={t.optionals}>
          {item.optionals.map((optional) => (
            <Choice key={optional.id} name={nameOf(optional)} charge={optional.price} />
          ))}
        </Choices>
      )}
      {meal !== undefined && (
        <p>
          <a class="button quiet" href={hrefOf(meal)}>
            {t.meal}: <bdi>{nameOf(meal)}</bdi> <Price amount={meal.price} />
          </a>
        </p>
      )}
    </article>
  );
};
