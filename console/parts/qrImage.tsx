import { qrCode } from './qr.ts'

/** Modules around the code that stay light. */
const quiet = 4

/** Dark on light in every theme: cameras do not read the reverse. */
export function QrImage({ label, text }: { label: string; text: string }) {
  const rows = qrCode(text)
  const size = rows.length + 2 * quiet
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + quiet} ${y + quiet}h1v1h-1z` : '')))
  return (
    <svg role="img" aria-label={label} className="qr" viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path d={path.join('')} />
    </svg>
  )
}
