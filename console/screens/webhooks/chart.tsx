import { useId } from 'react'
import type { WebhookHealthSeries } from '../../../clients/typescript/src/entry.ts'
import { texts } from '../../texts.ts'

type Points = WebhookHealthSeries['points']

const height = 100
const step = 10

/** Delivered and failed attempts, one bar for each step of the window. The table beside it says the numbers. */
export function Chart({ points }: { points: Points }) {
  const stripes = useId()
  const most = Math.max(1, ...points.map(({ delivered, failed }) => delivered + failed))
  const tall = (count: number) => (count * height) / most
  return (
    <figure className="chart">
      <svg
        role="img"
        aria-label={texts.delivery.chart}
        viewBox={`0 0 ${points.length * step} ${height}`}
        preserveAspectRatio="none"
      >
        <defs>
          <pattern id={stripes} width="4" height="4" patternUnits="userSpaceOnUse">
            <rect className="failed-ground" width="4" height="4" />
            <path className="failed-line" d="M0 4 4 0" />
          </pattern>
        </defs>
        {points.map(({ at, delivered, failed }, nth) => (
          <g key={at}>
            <rect
              className="delivered"
              x={nth * step + 1}
              width={step - 2}
              y={height - tall(delivered)}
              height={tall(delivered)}
            />
            <rect
              fill={`url(#${stripes})`}
              x={nth * step + 1}
              width={step - 2}
              y={height - tall(delivered + failed)}
              height={tall(failed)}
            />
          </g>
        ))}
      </svg>
      <figcaption className="actions">
        <span className="state good">{texts.delivered}</span>
        <span className="state bad">{texts.failed}</span>
      </figcaption>
    </figure>
  )
}
