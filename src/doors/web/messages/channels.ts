/** The ways to order online. */
export default {
  pickup: { ar: 'استلام من الفرع', en: 'Pickup' },
  outside: { ar: 'توصيل', en: 'Delivery' },
  in_mall: { ar: 'توصيل داخل المول', en: 'Delivery in the mall' },
  umbrella: { ar: 'إلى الشمسية', en: 'To your umbrella' },
} as const;
