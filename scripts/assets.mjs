// The pages' scripts and styles: one script per island, shared code apart, names with a hash of the content.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './checkout.mjs';

const WEB = join(root, 'src', 'doors', 'web');
const ICON = join(WEB, 'icon.ts');
const SERVICE_WORKER = join(WEB, 'service-worker', 'service-worker.ts');

const entriesOf = (folder, ending) =>
  existsSync(join(WEB, folder))
    ? readdirSync(join(WEB, folder))
        .filter((file) => file.endsWith(ending) && !file.startsWith('_'))
        .map((file) => join(WEB, folder, file))
    : [];

const COMMON = {
  bundle: true,
  minify: true,
  format: 'esm',
  // Chrome 100 and Safari 15.4 are of March 2022; phones that get no updates since then still show the pages.
  target: ['chrome100', 'safari15.4', 'firefox100'],
  entryNames: '[name]-[hash]',
  chunkNames: 'shared-[hash]',
  metafile: true,
  logLevel: 'warning',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** Every script that `file` imports at once, itself first. */
const withImports = (outputs, file) => {
  const found = new Set([file]);
  for (const each of found)
    for (const { path, kind } of outputs[each].imports) if (kind === 'import-statement') found.add(path);
  return [...found];
};

/** An icon file with one picture, a PNG, which every reader of the format since 2007 takes. */
const icoOf = (png, size) => {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon
  head.writeUInt16LE(1, 4); // of one picture:
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
};

const FAVICON_PIXELS = 48;
const TOUCH_ICON_PIXELS = 180;

/** Our mark for what shows no SVG: older browsers and readers of feeds, and the home screens of iPhones. */
const writeIcons = async (compile, folder) => {
  const { outputFiles } = await compile({ entryPoints: [ICON], write: false, format: 'esm' });
  const { ICON_SVG } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const { default: sharp } = await import('sharp');
  const drawn = (svg, size) =>
    sharp(Buffer.from(svg), { density: (72 * size) / 64 })
      .resize(size, size)
      .png();
  const favicon = await drawn(ICON_SVG, FAVICON_PIXELS).toBuffer();
  writeFileSync(join(folder, 'favicon.ico'), icoOf(favicon, FAVICON_PIXELS));
  // The home screen rounds the corners itself, and shows transparent ones as black.
  const squared = ICON_SVG.replace(/ rx="\d+"/, '');
  const touchIcon = await drawn(squared, TOUCH_ICON_PIXELS).removeAlpha().toBuffer();
  writeFileSync(join(folder, 'apple-touch-icon.png'), touchIcon);
};

/** With a hash of the content. */
const NAMED = /-[A-Z0-9]{8}\.(js|css)$/;

/** The scripts and styles of the build in the folder. */
const filesOf = (folder) => {
  const manifest = join(folder, 'manifest.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).files : [];
};

/** Whole at once: what servers have read of a file with a hash in its name is kept for good. */
const writeWhole = ({ path, contents }) => {
  writeFileSync(`${path}.partial`, contents);
  renameSync(`${path}.partial`, path);
};

/**
 * Writes the files and `manifest.json` into `folder`. Of what is there the scripts and styles of the build before stay: pages
 * that it has sent, and servers that still run it, ask for them. (If two builds are made without a start between, those of
 * the running server are gone.)
 */
export const buildAssets = async (folder) => {
  const { build: compile } = await import('esbuild');
  const before = new Set(filesOf(folder));
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder))
    if (NAMED.test(file) && !before.has(file)) rmSync(join(folder, file));
  const options = { ...COMMON, outdir: folder, absWorkingDir: root };
  const bundle = async (entryPoints, more = {}) => {
    const bundled = await compile({ ...options, ...more, entryPoints, write: false });
    bundled.outputFiles.forEach(writeWhole);
    return bundled;
  };
  const scripts = await bundle(entriesOf('islands', '.tsx'), { splitting: true });
  const styles = await bundle(entriesOf('styles', '.css'));
  await bundle(
    [SERVICE_WORKER].filter((file) => existsSync(file)),
    { entryNames: '[name]', format: 'iife' },
  );
  if (existsSync(ICON)) await writeIcons(compile, folder);
  const byEntry = ({ metafile: { outputs } }, ending, of) =>
    Object.fromEntries(
      Object.entries(outputs)
        .filter(([, { entryPoint }]) => entryPoint !== undefined)
        .map(([file, { entryPoint }]) => [basename(entryPoint, ending), of(outputs, file)]),
    );
  const outputs = [...Object.keys(scripts.metafile.outputs), ...Object.keys(styles.metafile.outputs)];
  const manifest = {
    files: outputs.map((file) => basename(file)).sort(),
    scripts: byEntry(scripts, '.tsx', (all, file) => withImports(all, file).map((each) => basename(each))),
    styles: byEntry(styles, '.css', (_, file) => basename(file)),
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
};
