import * as cakes from './cakes.ts';
import * as bakery from './bakery.ts';
import * as icedCoffee from './iced-coffee.ts';
import * as coldDrinks from './cold-drinks.ts';
import * as coffee from './coffee.ts';
import * as tea from './tea.ts';
import * as spoonDesserts from './spoon-desserts.ts';
import { paleAlmond } from './garnish.ts';
import { FOOD } from './palette.ts';
import type { Drawing } from './scene.ts';

/** The picture of every item of Zawya, by its key. */
export const ZAWYA_DRAWINGS: Readonly<Record<string, Drawing>> = {
  turkish: coffee.turkish({ pot: FOOD.brass, beside: coffee.SPICES }),
  'french-coffee': coffee.frenchCoffee,
  'hazelnut-coffee': coffee.turkish({ froth: '#c8924e', beside: coffee.HAZELNUTS, cup: 'second' }),
  espresso: coffee.espresso,
  americano: coffee.americano,
  cortado: coffee.cortado,
  'flat-white': coffee.flatWhite,
  cappuccino: coffee.cappuccino,
  latte: coffee.latte,
  'spanish-latte': coffee.spanishLatte,
  mocha: coffee.mocha,
  'hot-chocolate': coffee.hotChocolate,
  'iced-americano': icedCoffee.icedAmericano,
  'iced-latte': icedCoffee.icedLatte,
  'iced-spanish-latte': icedCoffee.icedSpanishLatte,
  'iced-mocha': icedCoffee.icedMocha,
  'cold-brew': icedCoffee.bottledColdBrew,
  'coffee-frappe': icedCoffee.coffeeFrappe,
  'koshary-tea': tea.koshary,
  'mint-tea': tea.mintTea,
  'milk-tea': tea.milkTea,
  anise: tea.anise,
  hibiscus: tea.hotHibiscus,
  'cinnamon-ginger': tea.cinnamonGinger,
  sahlab: tea.sahlabPlain,
  'lemon-mint': coldDrinks.lemonMintJuice,
  orange: coldDrinks.orangeJuice,
  mango: coldDrinks.mangoJuice,
  strawberry: coldDrinks.strawberryJuice,
  guava: coldDrinks.guavaJuice,
  'peach-iced-tea': coldDrinks.peachIcedTea,
  cola: coldDrinks.cola,
  water: coldDrinks.water,
  'butter-croissant': bakery.butterCroissant,
  'cheese-croissant': bakery.cheeseCroissant,
  'cheese-pate': bakery.pate,
  'date-biscuits': bakery.dateBiscuits,
  feteer: bakery.feteer,
  'rice-pudding': spoonDesserts.ricePudding,
  basbousa: cakes.basbousaOf(paleAlmond(26)),
  brownie: cakes.brownie,
  'carrot-cake': cakes.carrotCake,
  cheesecake: cakes.plainCheesecake,
};
