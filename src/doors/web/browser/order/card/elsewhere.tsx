/** Draws into a place of the page outside the island. */
import { render, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ReaderContext, useReader } from '../../../components/reader.ts';

export const Elsewhere = ({
  id,
  children,
}: {
  readonly id: string;
  readonly children: ComponentChildren;
}) => {
  const reader = useReader();
  useEffect(() => {
    const place = document.getElementById(id);
    if (place !== null)
      render(<ReaderContext.Provider value={reader}>{children}</ReaderContext.Provider>, place);
  });
  return null;
};
