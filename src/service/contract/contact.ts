/** How a service says where to reach it: a web address, an e-mail address or other text. */
export type Contact = { readonly url: string } | { readonly email: string } | { readonly name: string };

export const contactOf = (contact: string): Contact => {
  if (/^https?:\/\/[!-~]+$/i.test(contact) && URL.canParse(contact)) return { url: contact };
  return /^[^\s@:;,<>"]+@[^\s@:;,<>"/]+$/.test(contact) ? { email: contact } : { name: contact };
};
