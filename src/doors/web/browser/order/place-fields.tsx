/** Where the order goes: saved places, the fields of the channel, the device's location. */
import { useRef, useState } from 'preact/hooks';
import { telephone } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import type { CartQuote, OrderIslandProps } from '../../components/order.ts';
import { useMessages } from '../../components/reader.ts';
import { order } from '../../messages/compiled/order.ts';
import {
  needsLocation,
  PLACE_FIELDS,
  placeFields,
  type CheckoutForm,
  type Faults,
  type KnownPlace,
  type OnForm,
  type Place,
  type TextField,
} from './checkout.ts';
import { OrderField } from './order-field.tsx';
import type { Point } from './use-quote.ts';

interface PlaceFieldsProps {
  readonly shop: OrderIslandProps;
  readonly form: CheckoutForm;
  readonly onForm: OnForm;
  readonly faults: Faults;
  readonly places: readonly KnownPlace[];
  readonly delivery: CartQuote['delivery'];
}

const LOCATION_WAIT_MS = 15_000;

/** Rejects where the device or its owner does not say. */
const locate = (): Promise<Point> =>
  new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) {
      reject(new Error('the device has no location'));
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve({ lat: latitude, lng: longitude }),
      reject,
      { enableHighAccuracy: true, timeout: LOCATION_WAIT_MS },
    );
  });

type Locating = 'idle' | 'asking' | 'denied' | 'notFound';

/** A device that may say where it is can fail to find out, or take too long: the next try may succeed. */
const failureOf = (fault: unknown): Locating =>
  fault instanceof GeolocationPositionError && fault.code !== GeolocationPositionError.PERMISSION_DENIED
    ? 'notFound'
    : 'denied';

const Location = ({ shop, form, onForm, faults, delivery }: PlaceFieldsProps) => {
  const t = useMessages(order);
  const [locating, setLocating] = useState<Locating>('idle');
  const latest = useRef(form.point);
  latest.current = form.point;
  const find = (): void => {
    const before = form.point;
    setLocating('asking');
    locate().then(
      (point) => {
        setLocating('idle');
        // A saved place with a location of its own may have been chosen meanwhile.
        if (latest.current === before) onForm({ point });
      },
      (fault: unknown) => setLocating(failureOf(fault)),
    );
  };
  const refused = { out_of_range: t.tooFar, unavailable: t.noDelivery, ok: null }[delivery?.status ?? 'ok'];
  const failure = { idle: null, asking: null, denied: t.locationDenied, notFound: t.locationNotFound }[
    locating
  ];
  const fault = failure ?? refused ?? faults['point'];
  const label = form.point === null ? t.locate : t.locateAgain;
  const isKnown = form.point !== null && locating === 'idle';
  return (
    <div class="location">
      <p class="muted small" id="location-why">
        {t.locationWhy}
      </p>
      <div role="status">
        {locating === 'asking' && <p>{t.locating}</p>}
        {isKnown && fault === undefined && (
          <p class="located">
            <Icon name="check" />
            {t.located}
          </p>
        )}
        {fault !== undefined && (
          <p class="fault small" id="location-fault">
            {fault}
          </p>
        )}
      </div>
      <p class="actions">
        <button
          type="button"
          name="point"
          class="button quiet"
          disabled={locating === 'asking'}
          aria-describedby={fault === undefined ? 'location-why' : 'location-fault'}
          onClick={find}
        >
          <Icon name="pin" />
          {locating === 'notFound' ? t.retry : label}
        </button>
        {fault !== undefined && shop.branchPhone !== null && (
          <a class="button quiet" href={telephone(shop.branchPhone)}>
            <Icon name="phone" />
            {t.call}
          </a>
        )}
      </p>
    </div>
  );
};

const textOf = (place: Place): string =>
  [place.place_name, place.address_line, place.floor, place.unit_number]
    .filter((part) => part != null && part !== '')
    .join(' · ');

const isSamePlace = (form: CheckoutForm, { place }: KnownPlace): boolean =>
  (['place_name', 'address_line', 'floor', 'unit_number'] as const).every(
    (field) => form[field] === (place[field] ?? ''),
  );

const NO_PLACE: Partial<CheckoutForm> = {
  ...{ place_name: '', address_line: '', floor: '', unit_number: '', landmark: '', point: null },
};

const SavedPlaces = ({ form, onForm, places }: PlaceFieldsProps) => {
  const t = useMessages(order);
  return (
    <fieldset class="options">
      <legend>{t.savedPlaces}</legend>
      {places.map((known) => (
        <label key={known.key} class="option">
          <input
            type="radio"
            name="saved-place"
            disabled={known.stale !== null}
            checked={known.stale === null && isSamePlace(form, known)}
            onChange={() => onForm(placeFields(known.place))}
          />
          <span>
            <bdi>{textOf(known.place)}</bdi>
            {known.stale !== null && <small class="why">{known.stale}</small>}
          </span>
        </label>
      ))}
      <label class="option">
        <input
          type="radio"
          name="saved-place"
          checked={!places.some((known) => known.stale === null && isSamePlace(form, known))}
          onChange={() => onForm(NO_PLACE)}
        />
        <span>{t.otherPlace}</span>
      </label>
    </fieldset>
  );
};

export const PlaceFields = (props: PlaceFieldsProps) => {
  const { shop, form, onForm, faults, places } = props;
  const t = useMessages(order);
  const setText = (field: TextField) => (text: string) => onForm({ [field]: text });
  return (
    <section aria-labelledby="order-where">
      <h3 id="order-where">{t.where}</h3>
      {places.length > 0 && <SavedPlaces {...props} />}
      {needsLocation(shop.branch, shop.channel) && <Location {...props} />}
      <div class="places">
        {PLACE_FIELDS[shop.channel].map(({ field, label, missing, autocomplete }) => (
          <OrderField
            key={field}
            name={field}
            label={t[label]}
            value={form[field]}
            onValue={setText(field)}
            fault={faults[field]}
            isOptional={missing === null}
            maxLength={field === 'address_line' ? 500 : 120}
            {...(field === 'address_line' ? { hint: t.addressHint } : {})}
            {...(autocomplete === undefined ? {} : { autocomplete })}
          />
        ))}
      </div>
      <label class="option">
        <input
          type="checkbox"
          checked={form.keepsPlace}
          onChange={({ currentTarget }) => onForm({ keepsPlace: currentTarget.checked })}
        />
        <span>{t.keepPlace}</span>
      </label>
    </section>
  );
};
