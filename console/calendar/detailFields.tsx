import { CallFields } from '../parts/callFields.tsx'
import { Input, Select } from '../parts/fields.tsx'
import { MetadataField, More } from '../parts/more.tsx'
import { optionsOf } from '../parts/options.ts'
import { Rows } from '../parts/rows.tsx'
import { texts } from '../texts.ts'
import { noLink } from './details.ts'

const words = texts.eventDetails

/** Where and how people come together. */
export const PlaceFields = () => (
  <>
    <Input name="location" label={words.location} />
    <CallFields />
  </>
)

/** How the event is shown, and what belongs to it. */
export const DetailFields = () => (
  <More>
    <div className="row">
      <Select name="transparency" label={words.transparency} options={optionsOf(words.transparencies)} />
      <Select name="visibility" label={words.visibility} options={optionsOf(words.visibilities)} />
    </div>
    <div className="row">
      <Input name="labels" label={words.labels} hint={words.labelsHint} />
      <Input name="color" label={words.color} hint={words.colorHint} />
    </div>
    <Rows name="links" label={words.links} add={words.addLink} remove={words.removeLink} first={noLink}>
      {(at) => (
        <>
          <Input name="url" param={`links.${at}.url`} label={words.linkAddress(at + 1)} type="url" />
          <Input name="title" param={`links.${at}.title`} label={words.linkText(at + 1)} />
        </>
      )}
    </Rows>
    <MetadataField />
  </More>
)
