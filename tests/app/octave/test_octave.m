% Plans, exact sums, scans and errors in Octave, against sums that Octave makes itself.
function expectClose(a, b, tolerance)
  difference = norm(double(a(:)) - double(b(:))) / norm(double(b(:)));
  if ~(difference < tolerance)
    error('test failed: %g is not below %g', difference, tolerance);
  end
end

function expect(condition, what)
  if ~condition
    error('test failed: %s', what);
  end
end

function expectError(call, identifier, part)
  try
    call();
  catch problem
    expect(strcmp(problem.identifier, identifier), problem.identifier);
    expect(~isempty(strfind(problem.message, part)), problem.message);
    return;
  end
  error('test failed: no error of %s', identifier);
end

function A = sums(N, k, sign)
  [x, y] = ndgrid(-floor(N(1) / 2):ceil(N(1) / 2) - 1, -floor(N(2) / 2):ceil(N(2) / 2) - 1);
  A = exp(sign * 2i * pi * (k(1, :)' * x(:)' + k(2, :)' * y(:)'));
end

function plans()
  N = [13, 10];
  k = rand(2, 150) - 0.5;
  m = complex(randn(N), randn(N));
  A = sums(N, k, -1);
  p = spokelab.Nufft(N, k, 'accuracy', 1e-9);
  s = p.forward(m);
  expect(isequal(size(s), [150, 1]), 'the shape of samples');
  expectClose(s, A * m(:), 1e-8);
  expectClose(p.adjoint(s), A' * s, 1e-8);
  w = rand(150, 1);
  p.setWeights(w);
  expectClose(p.normal(m), A' * (w .* (A * m(:))), 1e-8);
  expect(p.error() > 0 && p.error() < 1e-9 && ~isempty(strfind(p.text(), 'cpu')), 'error and text');
  p.setPoints(k(:, 1:40));
  expectClose(p.forward(m), A(1:40, :) * m(:), 1e-8);
  both = spokelab.Nufft(N, k, 'sign', 1, 'batch', 2, 'precision', 'single', 'accuracy', 1e-4);
  s = both.forward(cat(4, m, 3 * m));
  expect(isa(s, 'single') && isequal(size(s), [150, 2]), 'a batch in single precision');
  expectClose(s(:, 2), 3 * conj(A) * m(:), 1e-3);
  expectClose(both.forward(cat(4, real(m), m)), [conj(A) * real(m(:)), conj(A) * m(:)], 1e-3);
  tuned = spokelab.Nufft(N, k, 'tune', true, 'effort', 'estimate', 'accuracy', 1e-6);
  expectClose(tuned.forward(m), A * m(:), 1e-5);
  expect(~isempty(strfind(tuned.text(), 'Tuned for')), tuned.text());
end

function exactSums()
  N = [8, 6];
  k = (rand(2, 70) - 0.5) .* N';
  t = linspace(0, 0.01, 70);
  field = 400 * rand(N);
  m = complex(randn(N), randn(N));
  A = sums(N, k ./ N', -1) .* exp(-1i * t' * field(:)');
  g = spokelab.Gdft(N, k, 'times', t, 'field', field);
  expectClose(g.forward(m), A * m(:), 1e-9);
  expectClose(g.adjoint(g.forward(m)), A' * (A * m(:)), 1e-9);
  place = rand(2, 9) - 0.5;
  at = spokelab.Gdft(N, k, 'coordinates', place);
  c = complex(randn(9, 1), randn(9, 1));
  expectClose(at.forward(c), exp(-2i * pi * (k' * place)) * c, 1e-9);
  expectError(@() spokelab.Gdft(N, k, 'times', t, 'field', field(1:3)), 'spokelab:badArgument', 'field map');
end

function scans()
  s = spokelab.simulate('pattern', 'radial', 'matrix', 24, 'samples', 48, 'coils', 3);
  expect(isequal(s.size, [24, 24, 1]) && s.coils == 3 && s.frames == 1, 'what a scan is');
  expect(isequal(size(s.points()), [2, size(s.values(), 1)]) && size(s.values(), 2) == 3, 'shapes of a scan');
  name = [tempname(), '.npy'];
  [m, json, fov] = s.reconstruct('method', 'sense', 'iterations', 4, 'effort', 'estimate', 'output', name);
  expect(isequal(size(m), [24, 24]) && all(isfinite(m(:))) && max(abs(m(:))) > 0, 'an image');
  expect(isequal(fov(1:2), [220, 220]) && ~isempty(strfind(json, 'iterations')), 'what is told of it');
  expect(exist(name, 'file') == 2, 'the file');
  delete(name);
  % Gridding by hand: the centre of k-space is the sum of the image.
  p = spokelab.Nufft(s.size(1:2), s.points() / 24, 'accuracy', 1e-6);
  expectClose(p.adjoint(double(s.values()(:, 1))), sums([24, 24], s.points() / 24, -1)' * double(s.values()(:, 1)), 1e-5);
  expectError(@() spokelab.read('no-such-file.h5'), 'spokelab:failed', 'no-such-file.h5');
  expectError(@() s.points(2), 'spokelab:badArgument', 'frame');
end

function refusals()
  p = spokelab.Nufft([8, 8], rand(2, 5) - 0.5);
  expectError(@() p.forward(zeros(3)), 'spokelab:badArgument', 'size');
  expectError(@() p.forward('abcdefgh'), 'spokelab:badArgument', 'size');
  expectError(@() p.setPoints(ones(3, 1)), 'spokelab:badArgument', 'points');
  expectError(@() p.setPoints([NaN; 0]), 'spokelab:failed', 'finite');
  expectError(@() spokelab.Nufft([8, 0]), 'spokelab:badArgument', 'positive');
  expectError(@() spokelab.Nufft([8, 8], [], 'accuracy', 5), 'spokelab:failed', 'accuracy');
  expectError(@() spokelab.Nufft([8, 8], [], 'accuracy'), 'spokelab:badArgument', 'pairs');
  expectError(@() spokelab_mex('plan', [8, 8], -1, false, 1, {'accuracy'}), 'spokelab:badArgument', 'pairs');
  expectError(@() spokelab_mex('forward', 99, 1), 'spokelab:badArgument', 'exist');
  expectError(@() spokelab_mex('no such'), 'spokelab:badArgument', 'command');
  p.delete();
  expectError(@() p.forward(zeros(8)), 'spokelab:badArgument', 'exist');
end

function help_texts()
  for name = {'Nufft', 'Gdft', 'Scan', 'read', 'simulate', 'reconstruct', 'backends'}
    text = evalc(['help spokelab.', name{1}]);
    expect(~isempty(strfind(text, upper(name{1}))) && ~isempty(strfind(text, 'See also')), name{1});
  end
end

setenv('XDG_CACHE_HOME', tempdir());
setenv('HOME', tempdir());
plans();
exactSums();
scans();
refusals();
help_texts();
disp('done');
