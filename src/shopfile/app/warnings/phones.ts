/** Warnings about phone numbers that cannot be dialled. */
import { isDialable } from '../../../kernel/phone.ts';
import type { ShopRows } from '../../store/tables.ts';
import { isLiveRow } from '../write/context.ts';
import type { Warning } from './warning.ts';

/** Captures the number of a chat link: https://wa.me/201001234567. */
const WHATSAPP = /^https:\/\/(?:wa\.me\/|api\.whatsapp\.com\/send\/?\?phone=)\+?([0-9]+)/;

export const phoneWarnings = (rows: ShopRows): Warning[] => {
  const branches = rows.branch.filter(isLiveRow).flatMap(({ id, name, phone }) =>
    phone === null || isDialable(phone)
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
    return number === undefined || isDialable(`+${number}`)
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
