# The team's Ruby program with sentry-ruby, set up as its documentation says. The environment
# provides SENTRY_DSN, SENTRY_RELEASE and SENTRY_ENVIRONMENT, and in TILL_SECRET the secret of a
# request; the arguments name the mistake and the order. Prints the id of each event.

require "stringio"
require "rack"
require "sentry-ruby"
require_relative "lib/orders"

Sentry.init do |config|
  # The program ends before a thread in the background would send.
  config.background_worker_threads = 0
  config.before_send = lambda do |event, _|
    puts "event #{event.event_id}"
    event
  end
end

MISTAKE, ORDER = ARGV[0], Integer(ARGV[1])

def handle_request
  env = {
    "REQUEST_METHOD" => "POST",
    "PATH_INFO" => "/orders/#{ORDER}/ship",
    "QUERY_STRING" => "express=1",
    "SERVER_NAME" => "shop.example",
    "SERVER_PORT" => "80",
    "HTTP_HOST" => "shop.example",
    "HTTP_VERSION" => "HTTP/1.1",
    "HTTP_USER_AGENT" => "till/3.1",
    "HTTP_ACCEPT_LANGUAGE" => "nl",
    "HTTP_AUTHORIZATION" => "Bearer #{ENV.fetch("TILL_SECRET")}",
    "HTTP_COOKIE" => "session=#{ENV.fetch("TILL_SECRET")}",
    "CONTENT_TYPE" => "application/json",
    "rack.url_scheme" => "http",
    "rack.input" => StringIO.new(%({"express": true})),
  }
  app = Sentry::Rack::CaptureExceptions.new(->(_) { ship(Order.new(ORDER)) })
  app.call(env)
end

def run
  case MISTAKE
  when "ship" then ship(Order.new(ORDER))
  when "bill" then bill(Order.new(ORDER))
  when "check" then check(ORDER)
  when "cause" then load_order(ORDER)
  when "label" then print_label(Order.new(ORDER))
  when "weigh" then weigh("#{ORDER} kg")
  when "count" then count("#{ORDER} pieces")
  when "message" then Sentry.capture_message("order #{ORDER} waits for an address")
  when "request" then handle_request
  end
end

begin
  run
rescue StandardError => error
  Sentry.capture_exception(error) unless MISTAKE == "request"
end
