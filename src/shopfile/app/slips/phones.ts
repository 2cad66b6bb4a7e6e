/** Phones that nobody can ring. */
import { canBeRung } from '../../../kernel/phone.ts';
import type { ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/writing.ts';
import type { Slip } from './slip.ts';

/** The number in a link to a chat: https://wa.me/201001234567. */
const WHATSAPP = /^https:\/\/(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=)\+?([0-9]+)/;

export const phoneSlips = (rows: ShopRows): Slip[] => {
  const branches = rows.branch.filter(isLiveRow).flatMap(({ id, name, phone }) =>
    phone === null || canBeRung(phone)
      ? []
      : [
          {
            key: `phone ${id} ${phone}`,
            text: `the phone of ‘${name}’ is none that can be rung: ${phone}`,
          },
        ],
  );
  const links = rows.links_social.flatMap(({ key, url }) => {
    const number = WHATSAPP.exec(url)?.[1];
    return number === undefined || canBeRung(`+${number}`)
      ? []
      : [
          {
            key: `link ${key} ${url}`,
            text: `the link to WhatsApp has no number that can be rung: ${number}`,
          },
        ];
  });
  return [...branches, ...links];
};
