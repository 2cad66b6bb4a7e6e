/** Colours as `#RRGGBB`. */
interface Colors {
  readonly background: string;
  readonly foreground: string;
  readonly accent: string;
}

/** For shops without colours of their own (Shapes, PublicBrand `custom_branding`). */
export const DEFAULT_COLORS: Colors = { background: '#FFFDF9', foreground: '#2A1E17', accent: '#8A4B2A' };
