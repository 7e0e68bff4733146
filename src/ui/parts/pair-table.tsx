/** Names and values from a report as a table. The report's JSON has long ones in full. */
import { abbreviate, LongText } from "./long-text.tsx";

const NAME_CHARS = 80;
const VALUE_CHARS = 240;

/** The table, with its caption if there is one. */
export function PairTable({
  caption,
  pairs,
}: {
  caption?: string;
  pairs: readonly (readonly [name: string, value: string])[];
}) {
  return (
    <table className="pairs">
      {caption !== undefined && (
        <caption>
          <bdi>{abbreviate(caption, NAME_CHARS)}</bdi>
        </caption>
      )}
      <tbody>
        {pairs.map(([name, value], index) => (
          <tr key={index}>
            <th scope="row">
              <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
            </th>
            <td>
              <LongText text={value} maxChars={VALUE_CHARS} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
