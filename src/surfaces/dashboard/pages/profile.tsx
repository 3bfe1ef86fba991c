/** What kind of project this is, how sure that is, and why. */
import type { NowAnswer, ProfileAnswer } from "../../http/api/shapes.ts";
import { Empty, NotYet, PageHead, Panel } from "../parts.tsx";
import { useAnswer } from "../use-answer.ts";
import { Ago, Code, visible } from "../words.tsx";

type Domain = ProfileAnswer["domains"][number];

export const ProfilePage = (_props: { now: NowAnswer | undefined }) => {
  const { answer, error } = useAnswer<ProfileAnswer>("/api/profile", { isLive: false });
  if (error || !answer) {
    return <NotYet title="Profile" what="Looking at the project" error={error} />;
  }
  const { domains, primary, packages, languages, notes } = answer;
  return (
    <>
      <PageHead title="Profile">
        <p class="summary">
          what kind of project this is, and so who reviews it · looked at <Ago at={answer.at} />
        </p>
      </PageHead>
      {languages.length > 0 && <Languages languages={languages} />}
      {domains.length === 0 && (
        <Empty title="No domain was found" icon="profile">
          <p>
            Nothing here tells what kind of project it is yet.{" "}
            <code>headgate profile --explain</code> shows what was seen.
          </p>
        </Empty>
      )}
      <div class="cards is-flow">
        {domains.map((domain) => (
          <DomainCard key={domain.name} domain={domain} isPrimary={domain.name === primary} />
        ))}
      </div>
      {packages.length > 1 && <Packages packages={packages} />}
      {notes.length > 0 && (
        <Panel title="Could not be read" count={notes.length}>
          <ul class="list">
            {notes.map(({ path, message }) => (
              <li key={path + message} class="list-row">
                <Code text={path} /> <span class="list-detail">{visible(message)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
};

const DomainCard = ({ domain, isPrimary }: { domain: Domain; isPrimary: boolean }) => {
  const percent = Math.round(domain.confidence * 100);
  return (
    <Panel
      title={domain.name}
      tools={
        <span class="tags">
          {isPrimary && <span class="tag is-accent">primary</span>}
          <span class="tag">{domain.state}</span>
        </span>
      }
    >
      <div class="meter-line">
        <meter
          min={0}
          max={1}
          value={domain.confidence}
          aria-label={`Confidence of ${domain.name}`}
        />
        <b>{percent} %</b>
      </div>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Evidence</th>
            <th scope="col">Found in</th>
            <th scope="col" class="is-number">
              Weight
            </th>
          </tr>
        </thead>
        <tbody>
          {domain.evidence.slice(0, 12).map((one) => (
            <tr key={one.signal + one.path}>
              <td>
                <Code text={one.signal} />
              </td>
              <td>
                <Code text={one.path} />
              </td>
              <td class={`is-number${one.weight < 0 ? " is-against" : ""}`}>
                {one.weight > 0 && "+"}
                {one.weight.toFixed(2)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {domain.evidence.length > 12 && <p class="note">and {domain.evidence.length - 12} more</p>}
    </Panel>
  );
};

const Languages = ({ languages }: { languages: ProfileAnswer["languages"] }) => (
  <section class="languages" aria-label="Languages">
    <div class="language-bar" aria-hidden="true">
      {languages.slice(0, 8).map(({ name, share }, index) => (
        <span key={name} class={`language-part is-${index}`} style={{ flexGrow: String(share) }} />
      ))}
    </div>
    <ul class="language-names">
      {languages.slice(0, 8).map(({ name, share }, index) => (
        <li key={name}>
          <span class={`language-dot is-${index}`} aria-hidden="true" /> {visible(name)}{" "}
          <span class="muted">{(share * 100).toFixed(share < 0.1 ? 1 : 0)} %</span>
        </li>
      ))}
    </ul>
  </section>
);

const Packages = ({ packages }: { packages: ProfileAnswer["packages"] }) => (
  <Panel title="Packages" count={packages.length}>
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Path</th>
          <th scope="col">Domains</th>
        </tr>
      </thead>
      <tbody>
        {packages.map(({ path, primary, domains }) => (
          <tr key={path}>
            <td>
              <Code text={path} />
            </td>
            <td>{primary ?? (domains.join(", ") || "–")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);
