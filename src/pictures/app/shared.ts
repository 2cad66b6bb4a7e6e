/** Statements that other topics run in their own transactions. */
export {
  deletePictures,
  isStored,
  originalById,
  originalBySource,
  pictureIdsOf,
  savePicture,
} from '../store/pictures.ts';
export type { StoredPicture } from '../store/pictures.ts';
