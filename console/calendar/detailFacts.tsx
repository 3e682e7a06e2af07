import type { EventInstance } from '../../clients/typescript/src/entry.ts'
import { Outward } from '../parts/a.tsx'
import { CallText } from '../parts/callFields.tsx'
import { Fact } from '../parts/facts.tsx'
import { MetadataFact } from '../parts/more.tsx'
import { texts } from '../texts.ts'

const words = texts.eventDetails

/** The place, the call and the rest of an event, where it has them. */
export function DetailFacts({ event }: { event: EventInstance }) {
  const { location, conference, transparency, visibility, labels, color, links } = event
  return (
    <>
      {location && <Fact name={words.location}>{location}</Fact>}
      {conference && (
        <Fact name={words.call}>
          <CallText of={conference} />
        </Fact>
      )}
      {transparency && <Fact name={words.transparency}>{words.transparencies[transparency]}</Fact>}
      {visibility && <Fact name={words.visibility}>{words.visibilities[visibility]}</Fact>}
      {labels && <Fact name={words.labels}>{labels.join(', ')}</Fact>}
      {color && <Fact name={words.color}>{color}</Fact>}
      {links && (
        <Fact name={words.links}>
          <ul className="plain">
            {links.map(({ url, title }, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two links may be equal
              <li key={nth}>
                <Outward href={url}>{title}</Outward>
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <MetadataFact of={event.metadata} />
    </>
  )
}
