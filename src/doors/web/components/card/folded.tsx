/** A list whose later lines open by a tap, also without script. */
import type { ComponentChild } from 'preact';

interface FoldedProps {
  readonly shown: number;
  readonly more: string;
  readonly children: readonly ComponentChild[];
}

export const Folded = ({ shown, more, children }: FoldedProps) => (
  <>
    <ul>{children.slice(0, shown)}</ul>
    {children.length > shown && (
      <details>
        <summary>{more}</summary>
        <ul>{children.slice(shown)}</ul>
      </details>
    )}
  </>
);
