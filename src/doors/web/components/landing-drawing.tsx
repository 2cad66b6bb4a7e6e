/** A table under an awning: a cup, and a phone with a menu. Drawn in the colours of the page. */

const STRIPES = [0, 1, 2, 3, 4, 5, 6];

const Awning = () => (
  <g>
    {STRIPES.map((at) => (
      <path
        key={at}
        class={at % 2 === 0 ? 'accent' : 'paper'}
        d={`M${30 + at * 40} 24h40v34a20 20 0 0 1-40 0V24Z`}
      />
    ))}
    <path class="ink" d="M24 16h292v10H24z" />
  </g>
);

const Cup = () => (
  <g class="line">
    <path class="steam" d="M112 112c-8 8 8 14 0 24M132 106c-8 9 8 17 0 28" />
    <path class="paper" d="M90 148h64v22a28 28 0 0 1-28 28h-8a28 28 0 0 1-28-28v-22Z" />
    <path d="M154 152h6a12 12 0 0 1 0 24h-8" />
    <path class="paper" d="M78 202h88" />
  </g>
);

const Phone = () => (
  <g>
    <rect class="paper line" x="204" y="96" width="66" height="108" rx="10" />
    <circle class="accent" cx="237" cy="114" r="7" />
    <path class="line soft" d="M216 132h26M216 148h32M216 164h22" />
    <path class="line accent-line" d="M252 132h6M252 148h6M252 164h6" />
    <rect class="accent" x="216" y="178" width="42" height="14" rx="7" />
  </g>
);

export const LandingDrawing = () => (
  <svg class="drawing" viewBox="0 0 340 270" aria-hidden="true">
    <circle class="halo" cx="170" cy="150" r="112" />
    <Awning />
    <Cup />
    <Phone />
    <path class="ink" d="M40 206h260v8H40z" />
    <path class="line" d="M170 214v46M130 262h80" />
  </svg>
);
