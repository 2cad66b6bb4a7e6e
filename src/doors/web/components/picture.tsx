/** Our own pictures, in the widths that the server makes. Pictures of other hosts are never loaded. */
import { shortId } from '../../../kernel/ids.ts';
import { PICTURE_WIDTHS, pictureIdIn, type PictureWidth } from '../../../pictures/domain/served.ts';

/** Null: not our own. */
export const pictureAt = (address: string | null | undefined, width: PictureWidth): string | null => {
  const id = pictureIdIn(address);
  return id === null ? null : `/pictures/${shortId(id)}/${width}`;
};

interface PictureProps {
  readonly address: string | null | undefined;
  /** Empty: the picture says what the text beside it says. */
  readonly alt: string;
  /** Of the place, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly sizes?: string;
  /** Seen at once: loaded before the others. */
  readonly isFirst?: boolean;
  readonly class?: string;
}

/** Null where there is no picture. */
export const Picture = ({ address, alt, width, height, sizes, isFirst = false, ...rest }: PictureProps) => {
  const source = pictureAt(address, 384);
  if (source === null) return null;
  return (
    <img
      class={rest.class}
      src={source}
      srcset={PICTURE_WIDTHS.map((each) => `${pictureAt(address, each) ?? ''} ${each}w`).join(', ')}
      sizes={sizes ?? `${width}px`}
      {...{ alt, width, height }}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding="async"
      {...(isFirst ? { fetchpriority: 'high' } : {})}
    />
  );
};
