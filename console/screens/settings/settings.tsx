import { useId } from 'react'
import { Filter, Radios } from '../../parts/fields.tsx'
import { Picker } from '../../parts/picker.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Switch } from '../../parts/switch.tsx'
import { zones } from '../../parts/times.ts'
import { type Settings as Chosen, choose, settings } from '../../state/settings.ts'
import { useStore } from '../../state/useStore.ts'
import { texts } from '../../texts.ts'

const options = <T extends string>(names: Record<T, string>) =>
  (Object.entries(names) as [T, string][]).map(([value, label]) => ({ value, label }))

export function Settings() {
  const chosen = useStore(settings)
  return (
    <Screen heading={texts.settings}>
      <div className="card stack">
        <p className="muted">{texts.settingsHint}</p>
        <Radios
          label={texts.theme}
          options={options(texts.themes)}
          value={chosen.theme}
          choose={(theme) => choose({ theme: theme as Chosen['theme'] })}
        />
        <Radios
          label={texts.weekStart}
          options={options(texts.weekStarts)}
          value={chosen.weekStart}
          choose={(weekStart) => choose({ weekStart: weekStart as Chosen['weekStart'] })}
        />
        <Radios
          label={texts.clock}
          options={options(texts.clocks).reverse()}
          value={chosen.clock}
          choose={(clock) => choose({ clock: clock as Chosen['clock'] })}
        />
        <Zone label={texts.timezone} value={chosen.timezone} choose={(timezone) => timezone && choose({ timezone })} />
        <Zone
          label={texts.secondTimezone}
          value={chosen.secondTimezone}
          choose={(secondTimezone) => choose({ secondTimezone })}
        />
        <Filter label={texts.language} value="en" options={[{ value: 'en', label: 'English' }]} choose={() => {}} />
        <Switch
          label={texts.singleKeys}
          isOn={chosen.singleKeys}
          least="viewer"
          turn={async (singleKeys) => choose({ singleKeys })}
        />
      </div>
    </Screen>
  )
}

function Zone({ label, value, choose }: { label: string; value: string; choose: (zone: string) => void }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Picker
        inputId={id}
        label={label}
        options={zones()}
        chosen={value ? [value] : []}
        choose={([zone]) => choose(zone ?? '')}
      />
    </div>
  )
}
