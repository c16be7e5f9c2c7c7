export default function Page() {
  return <p>The other pages</p>;
}
