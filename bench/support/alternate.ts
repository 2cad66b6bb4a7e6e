/** Our side and the baseline in turn, so that a busy machine slows both; the first one changes with each round. */
export const alternate = async <Ours, Bare>(
  rounds: number,
  ours: (round: number) => Promise<Ours>,
  bare: (round: number) => Promise<Bare>,
): Promise<readonly { readonly ours: Ours; readonly bare: Bare }[]> => {
  const all: { ours: Ours; bare: Bare }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0 ? { ours: await ours(round) } : null;
    const other = await bare(round);
    all.push({ ours: first === null ? await ours(round) : first.ours, bare: other });
  }
  return all;
};
