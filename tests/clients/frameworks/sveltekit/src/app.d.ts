declare global {
  namespace App {
    interface Error {
      digest?: string;
    }
  }
}

export {};
