/** Statements that other topics run in their own transactions. */
export { addressesOf, saveAddress, type AddressToSave, type StoredAddress } from '../store/address.ts';
export { customerChange } from './changes.ts';
export { customerWithPhone } from '../store/customer.ts';
