export default function Home() {
  return <h1>Kitchen</h1>;
}
