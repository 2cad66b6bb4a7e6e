/** Each till of the server against what people put into it and took out of it. */
import type { Books, TillReport } from './books.ts';
import type { Till } from './ledger.ts';
import { sumOf } from './lists.ts';
import type { Scene } from './scene.ts';

type Method = 'cash' | 'card';

const DIRECTION = { pay_in: 1, pay_out: -1, drop: -1 } as const;

/** What must be in it now. */
const inTill = ({ ledger }: Scene, till: Till, method: Method): number => {
  const paid = ledger.payments().filter((one) => one.tillId === till.id && one.method === method);
  const taken = sumOf(paid.map(({ amount, tip }) => amount + tip));
  if (method === 'card') return taken;
  const back = sumOf(ledger.refunds.filter(({ tillId }) => tillId === till.id).map(({ amount }) => amount));
  return (
    till.float + taken - back + sumOf(till.movements.map(({ kind, amount }) => DIRECTION[kind] * amount))
  );
};

/** What came after its close. */
const lateOf = ({ late }: TillReport, method: Method): number =>
  sumOf(
    late.map((one) => {
      const parts = one.payments.filter((part) => part.method === method);
      if (one.type === 'sale') return sumOf(parts.map(({ amount, tip }) => amount + tip));
      if (one.type === 'cash') return method === 'cash' ? DIRECTION[one.kind ?? 'drop'] * one.amount : 0;
      if (one.method !== method) return 0;
      return one.type === 'refund' ? -one.amount : one.amount + one.tip;
    }),
  );

const methodFaults = (scene: Scene, till: Till, report: TillReport): readonly string[] =>
  (['cash', 'card'] as const).flatMap((method) => {
    const expected = report.figures?.methods.find((one) => one.method === method)?.expected ?? 0;
    const [got, real] = [expected + lateOf(report, method), inTill(scene, till, method)];
    return got === real
      ? []
      : [`${scene.history.nameOf(till.id)} has ${got} of ${method} by the books, ${real} are in it`];
  });

/** Its figures and what came late are the sales that the books have of it. */
const totalFaults = (
  { history }: Scene,
  { sales }: Books,
  till: Till,
  report: TillReport,
): readonly string[] => {
  const own = sales.filter((sale) => sale.till_id === till.id);
  const late = report.late.filter(({ type }) => type === 'sale');
  const total = (report.figures?.total ?? 0) + sumOf(late.map(({ amount }) => amount));
  const count = (report.figures?.sales_count ?? 0) + late.length;
  const expected = sumOf(own.map((sale) => sale.total));
  return total === expected && count === own.length
    ? []
    : [
        `${history.nameOf(till.id)} reports ${count} sales of ${total}, the books have ${own.length} of ${expected}`,
      ];
};

/** Where it was closed once, as that person counted it. */
const closeFaults = ({ history }: Scene, till: Till, report: TillReport): readonly string[] => {
  const [close, second] = till.closes;
  const isClosed = report.status !== 'open';
  if (isClosed !== (close !== undefined)) return [`${history.nameOf(till.id)} is ${report.status}`];
  if (close === undefined || second !== undefined) return [];
  const counted = report.figures?.methods.find(({ method }) => method === 'cash')?.counted;
  return counted === close.countedCash
    ? []
    : [`${history.nameOf(till.id)} was closed with ${close.countedCash}, the books have ${counted}`];
};

export const tillFaults = (scene: Scene, books: Books): readonly string[] => {
  const { ledger, history } = scene;
  return [
    ...[...ledger.tills.values()].flatMap((till) => {
      const report = books.reports.get(till.id);
      if (report === undefined) return [`${history.nameOf(till.id)} is not in the books`];
      return [
        ...methodFaults(scene, till, report),
        ...totalFaults(scene, books, till, report),
        ...closeFaults(scene, till, report),
      ];
    }),
    ...(books.reports.size > ledger.tills.size ? ['a till that nobody opened'] : []),
  ];
};
