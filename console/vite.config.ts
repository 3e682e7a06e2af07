// Builds the console into dist/: index.html, and assets with a hash in their names, each also compressed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** The service sends what is compressed once, here. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    writeBundle({ dir }) {
      const folder = join(dir!, 'assets')
      for (const name of readdirSync(folder)) {
        const bytes = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  logLevel: 'error',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // One style sheet, and files instead of inline data: the policy of the pages allows nothing inline.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [compressed()],
})
